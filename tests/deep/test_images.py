"""Strokes of images, and images made upright: as the literal readings have it, image by image."""

from math import atan2, exp, hypot, pi, sqrt

import numpy as np
import pytest
from sklearn.base import clone

from theta_app.deep import Strokes, Upright


def literal(image):
    """One image pixel by pixel: where each comes from, and the four around that place."""
    rows, columns = image.shape
    places = [(a, b) for a in range(rows) for b in range(columns)]
    ink = sum(image[place] for place in places)
    if ink == 0:
        return image
    row = sum(a * image[a, b] for a, b in places) / ink
    column = sum(b * image[a, b] for a, b in places) / ink
    tall = sum((a - row) ** 2 * image[a, b] for a, b in places)
    lean = sum((a - row) * (b - column) * image[a, b] for a, b in places)
    slope = lean / tall if tall > 0 else 0.0
    found = np.zeros_like(image)
    for a, b in places:
        down = a - (rows - 1) / 2
        from_row, from_column = row + down, column + b - (columns - 1) / 2 + slope * down
        for i, j in places:
            found[a, b] += max(0.0, 1 - abs(i - from_row)) * max(0.0, 1 - abs(j - from_column)) * image[i, j]
    return found


@pytest.mark.parametrize("shape", [(6, 6), (5, 8), (8, 5)])
def test_it_is_the_literal_reading(shape):
    rng = np.random.default_rng(1)
    images = rng.uniform(size=(8, *shape)) * (rng.uniform(size=(8, *shape)) < 0.4)
    images[0], images[1] = 0.0, np.eye(1, shape[0] * shape[1]).reshape(shape)  # no ink, ink in one pixel
    found = Upright(shape).fit_transform(images.reshape(8, -1)).reshape(8, *shape)
    np.testing.assert_allclose(found, [literal(image) for image in images], atol=1e-12)


def stroke(slant, size=21):
    """A stroke of even ink that leans by `slant` columns per row."""
    row, column = np.mgrid[:size, :size] - (size - 1) / 2
    return (np.exp(-((column - slant * row) ** 2) / 4) * (np.abs(row) <= 6)).ravel()


def test_strokes_that_lean_differently_become_alike():
    leaning = np.array([stroke(slant) for slant in (-0.6, -0.3, 0.0, 0.3, 0.6)])
    upright = Upright((21, 21)).fit_transform(leaning)
    assert np.abs(leaning - leaning[2]).max() > 0.7
    assert np.abs(upright - leaning[2]).max() < 1 / 16  # of a straight line between pixels: its bend is at most 1 / 2


def test_an_image_depends_on_no_other_one_and_many_are_as_few():
    images = np.random.default_rng(0).uniform(size=(2_005, 16)) ** 4
    model = Upright((4, 4)).fit(images)
    np.testing.assert_array_equal(model.transform(images)[1_995:], model.transform(images[1_995:]))
    np.testing.assert_array_equal(clone(model).fit_transform(images), model.transform(images))
    assert model.get_feature_names_out().shape == (16,)


def test_what_is_no_image_is_said_in_a_sentence():
    with pytest.raises(ValueError, match=r"\(4, 5\) pixels does not have 16"):
        Upright((4, 5)).fit(np.ones((3, 16)))
    with pytest.raises(ValueError, match="Do not standardise"):
        Upright((4, 4)).fit_transform(-np.ones((3, 16)))


# ---- strokes --------------------------------------------------------------------------------------------------------


def smoothed(image, sd):
    """Weighted by a normal curve that ends after four standard deviations, rows then columns; edges are mirrors."""
    reach = int(4 * sd + 0.5)
    weights = [exp(-0.5 * (d / sd) ** 2) for d in range(-reach, reach + 1)]
    for axis in (0, 1):
        size = image.shape[axis]
        mirror = [*range(size), *reversed(range(size))]
        rows = [
            sum(
                w * np.take(image, mirror[(i + d) % (2 * size)], axis)
                for d, w in zip(range(-reach, reach + 1), weights)
            )
            for i in range(size)
        ]
        image = np.stack(rows, axis) / sum(weights)
    return image


def literal_strokes(image, directions):
    """Pixel by pixel: the slope there, shared by the two nearest directions."""
    rows, columns = image.shape
    scale = min(rows, columns) / 28
    smooth, step = smoothed(image, 0.7 * scale), max(1, round(3 * scale))
    amounts = np.zeros((directions, rows, columns))
    for a in range(rows):
        for b in range(columns):
            above, below, left, right = max(a - 1, 0), min(a + 1, rows - 1), max(b - 1, 0), min(b + 1, columns - 1)
            down = (smooth[below, b] - smooth[above, b]) / (below - above)
            along = (smooth[a, right] - smooth[a, left]) / (right - left)
            turn = atan2(down, along) % (2 * pi) / (2 * pi) * directions
            first, part = int(turn), turn - int(turn)
            amounts[first % directions, a, b] += (1 - part) * hypot(down, along)
            amounts[(first + 1) % directions, a, b] += part * hypot(down, along)
    around = np.stack([smoothed(each, 1.5 * scale) for each in amounts], axis=-1)
    read = around[step // 2 :: step, step // 2 :: step].ravel()
    return np.array([sqrt(value / read.sum()) if read.sum() else 0.0 for value in read])


@pytest.mark.parametrize(("shape", "directions"), [((9, 9), 8), ((28, 20), 6), ((7, 16), 3)])
def test_strokes_are_the_literal_reading(shape, directions):
    images = np.random.default_rng(1).uniform(size=(5, *shape))
    images[0], images[1] = 0.0, np.arange(shape[1])  # of one grey; brighter from left to right
    found = Strokes(shape, directions).fit_transform(images.reshape(5, -1))
    np.testing.assert_allclose(found, [literal_strokes(image, directions) for image in images], atol=1e-10)


def test_strokes_do_not_depend_on_contrast_and_hardly_on_a_small_shift():
    images = np.array([stroke(slant) for slant in (-0.6, 0.0, 0.6)])
    moved = np.roll(images.reshape(3, 21, 21), 1, axis=2).reshape(3, -1)
    model = Strokes((21, 21)).fit(images)
    strokes = model.transform(images)
    np.testing.assert_allclose(model.transform(3.0 * images + 7.0), strokes, atol=1e-6)
    other = np.linalg.norm(strokes[1] - strokes[0])
    assert np.linalg.norm(images[1] - moved[1]) > 0.4 * np.linalg.norm(images[1] - images[0])
    assert np.linalg.norm(strokes[1] - model.transform(moved)[1]) < 0.4 * other


def test_strokes_of_one_image_depend_on_no_other_one_and_are_named():
    images = np.random.default_rng(0).uniform(size=(2_005, 16)) ** 4
    model = Strokes((4, 4)).fit(images)
    np.testing.assert_array_equal(model.transform(images)[1_995:], model.transform(images[1_995:]))
    np.testing.assert_array_equal(clone(model).fit_transform(images), model.transform(images))
    assert list(model.get_feature_names_out()[:2]) == ["strokes0", "strokes1"]
    with pytest.raises(ValueError, match=r"\(4, 5\) pixels does not have 16"):
        Strokes((4, 5)).fit(images)
