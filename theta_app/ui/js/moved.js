// The address of a former page: the browser goes on to the new one in its place, so that Back does not return here.

export default function ({ data }) {
  location.replace(new URL(data, location.href));
}
