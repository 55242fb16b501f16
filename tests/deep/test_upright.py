"""Images made upright: as the literal reading has it, image by image, and good for a neighbour map."""

import numpy as np
import pytest
from sklearn.base import clone

from theta_app.deep import Upright


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
