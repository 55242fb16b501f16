// What the timeline and the shuffle slider tell each other: two components on one page, so by events of the document.

/** The timeline shows another clustering at the θ it stands on; detail: { body, at, frame, theta }, or null for its own. */
export const LOOK = "theta-look";

/** The timeline of θ stands at another value; detail: { value, frame, body, marks }. */
export const MOVED = "theta-moved";

/** The chains at the θ one stands on are those of another ε than Python knows; detail as of LOOK, null: of that ε. */
export const CHAINED = "theta-chained";

/** Another component asks the timeline of θ to stand at a value, as if it were dragged; detail: { value, release }. */
export const GO = "theta-go";

/** Another component asks the timeline of θ to say where it stands. */
export const WHERE = "theta-where";
