// The answer above the picture: off the suggestion it says where one stands, while the pointer is still down.
// Python draws the line (widgets/verdict); only its words about "here" move with the value.

/** `here`: { theta, epsilon, words }. */
export function tellAnswer({ theta, epsilon, words }) {
  const line = document.querySelector("[data-testid=verdict][data-start]");
  if (!line) return;
  const { start, epsilon: suggested, algorithm, using } = line.dataset;
  const other = algorithm && algorithm !== using;
  const chained = algorithm === "TNC" && epsilon !== undefined && Number(suggested) !== epsilon;
  line.classList.toggle("off", Boolean(other || chained || Number(start) !== theta));
  const here = line.querySelector(".here");
  if (here.textContent !== words) here.textContent = words;
}
