"""The theory in boxes: what the paper states, why it holds in plain words, and what it leaves out."""

import streamlit as st

PAPER = (
    "Garyfallidis, Fadnavis, Park, Chandio, Guaje, Koudoro and Anousheh: "
    "*ThetA - fast and robust clustering via a distance parameter*"
)

BOXES = {
    "definitions": (
        "Definitions: θ-sparse and θ-dense",
        """
A clustering is **θ-sparse** if the closest two points of *different* clusters are more than θ apart. Otherwise it is
**θ-dense**. Given the clusters, this is exact: find the closest pair across clusters and compare it with θ.

*Section 3.2 of the paper.*
""",
    ),
    "theorem": (
        "Theorem 1: far enough apart, any order gives the same clusters",
        """
**What the paper says.** If no two points of different clusters are closer than θ, TSG finds exactly these clusters
in one pass, in every order.

**Why, in plain words.** TSG only ever asks "how far is this point from that centroid?". If the answer is *within θ*
for the point's own cluster and *beyond θ* for every other, then a point never joins a stranger and never opens a second
cluster at home. So the order cannot matter.

**What the proof also needs.** It takes for granted that distances *inside* a cluster are below θ. A long cluster,
however far from all others, is cut into pieces, and the cuts depend on the order (try *A chain*). And TSG measures to
*centroids*, not to points: the mean of two points can be nearer to a stranger than both are (try *Three points*).

**A version without gaps.** If every cluster has diameter at most θ, and points of different clusters are more than
√1.5 θ ≈ 1.23 θ apart, every order gives these clusters. At home: a mean lies among its members, so it is never further
from a member than the furthest member is: at most θ. Abroad: the squared distance from x to a mean is the average of
the squared distances to the members, less their spread about the mean; the first is more than 1.5 θ², the second less
than half the squared diameter, at most θ²/2; so what is left is more than θ².

*Theorem 1 and its proof are in section 3.2; the last paragraph is ours, and tested.*
""",
    ),
    "lemma": (
        "Lemma 1: if shuffling changes nothing, the data are θ-sparse",
        """
**What the paper says.** Repeat TSG over random orders; if the labels never change, the data are θ-sparse.

**Why, in plain words.** If a pair across two clusters is within θ, some order will sooner or later bring the two
together at the wrong moment, and the labels change. So *no change in all orders* speaks for sparse data.

**What it is worth.** A few shuffles are evidence, not proof: 50 of them can all miss the bad order (slide the
clusters to just below θ: dense already, and nothing seen). So this app says *no order effect in 50 shuffles*
and reports **order agreement**, the mean adjusted Rand index between runs: 1 means that no effect was seen.

*Section 3.2 of the paper.*
""",
    ),
    "vote": (
        "Why TDG's vote helps, and its limit",
        """
One TSG run puts a centroid wherever its order led it. Over many shuffles the centroids crowd around places that most
orders agree on, and these crowds are tighter than the data were. So a second TSG over the centroids has an easier
problem than the first had. The paper sketches this with counts of right and wrong runs (section 4.2).

**The limit.** The second TSG uses the same θ on centroids, which carry less noise than points. Where θ must be large
because points lie far from their own centre (many features), it can exceed the distance between centres, and the
second stage merges clusters that single runs had kept apart. If K of TDG is far below K of its runs, trust the runs.
""",
    ),
    "choose": (
        "How to choose θ",
        """
1. If you know a size (a cell, a bundle, a walking distance), θ is about that: how far a member may be from its centre.
2. Otherwise sweep θ and look for a **range** where K stays the same and order agreement is near 1; take its middle.
   *Optimal θ* does this for your data.
3. If no range stands out, take θ smaller and look at the **cluster sizes**: a drop after the first few tells how many
   clusters there are (*Cluster sizes*).
4. Bent shapes: small θ first, then chain with ε (*Nonlinear*).
""",
    ),
}


def show(*names):
    """Draw boxes by name, closed, and cite the paper."""
    for name in names:
        title, text = BOXES[name]
        with st.expander(title):
            st.markdown(text)
    st.caption(PAPER)
