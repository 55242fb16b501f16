"""The theory in boxes: what the paper states, why it holds in plain words, and what it leaves out."""

import streamlit as st

PAPER = (
    "Garyfallidis, Fadnavis, Park, Chandio, Guaje, Koudoro and Anousheh: "
    "*ThetA - fast and robust clustering via a distance parameter*"
)

BOXES = {
    "definitions": (
        "Definitions: θ-sparse and θ-dense",
        r"""
A clustering is **θ-sparse** if the closest two points of *different* clusters are more than θ apart:

$$
\min_{i \neq j}\; \min_{x \in C_i,\, y \in C_j} \lVert x - y \rVert > \theta
$$

Otherwise it is **θ-dense**. Given the clusters, this is exact: find the closest pair across, compare it with θ.

*Section 3.2 of the paper.*
""",
    ),
    "theorem": (
        "Theorem 1: far enough apart, any order gives the same clusters",
        r"""
**What the paper says.** If no two points of different clusters are closer than θ, TSG finds exactly these clusters
in one pass, in every order.

**Why, in plain words.** TSG only ever asks "how far is this point from that centroid?". If the answer is *within θ*
for the point's own cluster and *beyond θ* for every other, then a point never joins a stranger and never starts a
second cluster at home. So the order cannot matter.

**At exactly θ** the theorem and TSG disagree: a pair of strangers at distance θ is not *closer* than θ, so the theorem
allows it, but TSG joins at $d \le \theta$, so it may join the two. The definition of θ-sparse ($> \theta$) excludes
such a pair, so that is the condition to use.

**What the proof also needs.** It takes for granted that distances *inside* a cluster are at most θ. A long cluster,
however far from all others, is cut into pieces, and the cuts depend on the order (*A chain*). And TSG measures to
*centroids*, not to points: the mean of two points can be nearer to a stranger than both are (*Three points*, in the
lesson *Order matters*).

**A version without gaps.** If every cluster has diameter at most θ, and points of different clusters are more than
$\sqrt{1.5}\,\theta \approx 1.23\,\theta$ apart, every order gives these clusters. *At home:* a mean lies among its
members, so it is never further from a member than the furthest member is: at most θ. *Abroad:* for a mean $m$ of $n$
members $y_j$,

$$
\lVert x - m \rVert^2 = \frac{1}{n} \sum_j \lVert x - y_j \rVert^2 - \frac{1}{n} \sum_j \lVert y_j - m \rVert^2
> 1.5\,\theta^2 - 0.5\,\theta^2 = \theta^2
$$

as the spread of the members about their mean is at most half the squared diameter.

*Theorem 1 and its proof are in section 3.2; the last paragraph is ours, and tested.*
""",
    ),
    "lemma": (
        "Lemma 1: if shuffling changes nothing, the data are θ-sparse",
        r"""
**What the paper says.** Repeat TSG over random orders; if the labels never change, the data are θ-sparse.

**Proof in one line.** If two points of different clusters are within θ, an order that *starts* with that pair joins it.

**What it is worth.** A random shuffle of $N$ points starts with that pair with probability

$$
\frac{2}{N (N - 1)}
$$

(1 in 1,770 for 60 points), so 50 shuffles can miss it: slide the clusters to just below θ, and they are dense
already, but no shuffle shows it. A few shuffles are evidence, not proof. So this app says *no order effect in 50
shuffles* and reports **order agreement**, the mean adjusted Rand index between runs: 1 means that no effect was
seen.

**When reordering is worth it.** The paper's remark: in practice when the closest pair across clusters is nearer than
$\theta / 2$, because then many orders bring strangers together. The curve in *Order matters* has a mark there.

*Section 3.2 of the paper.*
""",
    ),
    "vote": (
        "Why TDG's vote helps, and its limit",
        r"""
One TSG run puts a centroid wherever its order led it. Over many shuffles the centroids crowd around places that most
orders agree on, and these crowds are tighter than the data. So a second TSG, over the centroids, has an easier
problem than the first.

**The paper's sketch (section 4.2).** Two clusters touch; of $I = n + m$ shuffles, $n$ part them rightly, $m$ wrongly.
One TSG run is wrong at the rate $\frac{m}{n + m}$. The second TSG can pair a centroid with $n + 2m$ others, of which
$\frac{m}{2} + \epsilon$ are wrong ones, $\epsilon$ being the few right centroids of the *other* cluster in reach. So
its rate is lower as long as

$$
\frac{m/2 + \epsilon}{n + 2m} < \frac{m}{n + m} \quad\Longleftrightarrow\quad
\epsilon < \frac{3 m^2 + m n}{2\,(m + n)}
$$

(the paper leaves out the 2). As right centroids lie in the middle of their cluster, $\epsilon$ is small. Where the
points in between are more than θ apart, the paper's condition is $m < \frac{4}{7} n$. It is a sketch with counts, not a
proof: measured, 50 shuffles beat one in 49 of 60 sets like *Close clusters*, and not in the other 11.

**The limit.** The second TSG uses the same θ on centroids, which carry less noise than points. Where θ must be large
because points lie far from their own centre (many columns), it can exceed the distance between centres, and the
second stage merges clusters that single runs had kept apart. If K of TDG is far below K of its runs, trust the runs.
""",
    ),
    "space": (
        "Space: what must be remembered",
        r"""
TSG remembers its centroids and how many points each has; a point is forgotten once it has joined. With $K$ clusters of
$D$ columns that is $K (D + 1)$ numbers. The paper counts it as $O(1)$ at best (one cluster) and $O(2N)$ at worst
(every point alone). TDG collects the centroids of all $I$ shuffles for the vote: $O(I)$ at best, $O(2 I N)$ at worst.
K-Means remembers $K$ centres, and needs all points again in every iteration.

*Section 3.3 of the paper. Every method also stores the labels, one number per point.*
""",
    ),
    "choose": (
        "How to choose θ",
        """
1. If you know a size (a cell, a bundle, a walking distance), θ is about that: how far a member may be from its centre.
2. Otherwise sweep θ and look for a **range** where K stays the same and order agreement is near 1; take its middle.
   *Evidence* ranks the ranges of your data.
3. If no range is clear, make θ smaller and look at the **cluster sizes** on *Evidence*: an elbow after the first few
   tells how many clusters there are.
4. Bent shapes: small θ first, then chain with ε (TNC on *Explore*).
""",
    ),
}


def show(*names: str) -> None:
    """Draw boxes by name, closed, and cite the paper."""
    for name in names:
        title, text = BOXES[name]
        with st.expander(title):
            st.markdown(text)
    st.caption(PAPER)
