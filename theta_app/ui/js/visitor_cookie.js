// The visitor's name as a cookie, where the server has not sent one (theta_app/ui/headers.py; one of that name cannot be
// seen or changed here). Another tab may have set one meanwhile: then this session takes that name, so that both find
// their uploads.

export default function ({ data, setStateValue }) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${data.cookie}=`));
  const theirs = found && found.slice(data.cookie.length + 1);
  if (!theirs) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${data.cookie}=${data.token}; path=/; max-age=2592000; SameSite=Strict${secure}`;
  } else if (theirs !== data.token) {
    setStateValue("token", theirs);
  }
}
