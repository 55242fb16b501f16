"""The timeline: one component that shows a clustering at every value of a parameter, live, in the browser.

Python computes the values once and sends them; dragging repaints without the server; on release Python gets the value.
The parameter may be θ or ε or any other: its name, unit and scale are part of what is sent.

    frames      what a timeline is made of      wire        the bytes that are sent
    component   mounting it on a page           js/         the part in the browser
    of_theta    from a sweep to a timeline      of_epsilon  from a chaining to one
    of_shuffles the first shuffles at one θ     of_others   other methods at the K of each θ
    of_evidence what stands under the track of Evidence
    of_arrivals rows that come one by one
    cursor      where the handle stands         colours     that stay with their cluster
    polygon     what box and lasso select       coding      labels written short
"""

from theta_app.ui.timeline.component import PACKED, show, show_evidence, show_others, show_shuffles
from theta_app.ui.timeline.frames import Axis, Curve, Frame, Options, Picture, Range, Readout, RowNotes, Texts
from theta_app.ui.timeline.polygon import inside, is_polygon
from theta_app.ui.timeline.wire import Chains, Packed, pack
