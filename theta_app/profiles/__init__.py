"""What's in each cluster, in numbers: profiles in the units of the file, typical rows, neighbours.

groups       a cluster or a selection against the others    silhouettes  of every point
neighbours   the nearest cluster, and what joins the two    images       rows that are pictures
values       clusters that are those of one column
"""

from theta_app.profiles.groups import (
    CURVE_FACTS,
    PROFILE_COLUMNS,
    Overview,
    extreme_rows,
    label_mix,
    longitude_of,
    original_values,
    overview,
    profile,
    told,
    typical_rows,
)
from theta_app.profiles.images import image_shape, likely_shape, pictures
from theta_app.profiles.neighbours import Neighbour, joining_epsilon, joining_theta, nearest_cluster
from theta_app.profiles.silhouettes import point_silhouettes, silhouettes_of_many
from theta_app.profiles.values import OneColumn, one_column
