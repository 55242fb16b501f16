"""What's in each cluster, on any page that shows clusters.

view      the clusters that are shown, and the one that is looked at    panel    one of them, or all
marking   names, colours and merges                                     part     a selection; a part of the rows
drawn     bars, labels, rows and pictures of a group
"""

from theta_app.ui.widgets.inside.panel import show
from theta_app.ui.widgets.inside.part import show_part, show_selection
from theta_app.ui.widgets.inside.view import ClusterView, choose, chosen_point, marked
