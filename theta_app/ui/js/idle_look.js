// Ask the server to look again, after every few seconds in which the page was seen and rested. A page that computes runs
// in steps: between two of them the browser would send along values of boxes that the next step has just replaced.

const STEP = 500; // milliseconds
const RESTS = 6; // steps at rest before a look

export default function ({ setTriggerValue }) {
  let rested = 0;
  const timer = window.setInterval(() => {
    const app = document.querySelector('[data-testid="stApp"]');
    const rests = app?.getAttribute("data-test-script-state") === "notRunning" && !document.hidden;
    rested = rests ? rested + 1 : 0;
    if (rested < RESTS) return;
    rested = 0;
    setTriggerValue("look", Date.now());
  }, STEP);
  return () => window.clearInterval(timer);
}
