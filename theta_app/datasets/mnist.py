"""MNIST: 70,000 handwritten digits of 28 × 28 pixels, as files with NumPy arrays have them."""

import hashlib
import zipfile
from pathlib import Path

import numpy as np

FILE = "mnist.npz"
SHAPE = (28, 28)
DIGEST = "c2069063c1105f2bf96266aef1ff68c6e13bdda7a54e37bf19c16f1db24efc83"
_PARTS = (("x_train", "y_train", "x_test", "y_test"), ("train_images", "train_labels", "test_images", "test_labels"))


def read(file: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """All pictures and their digits: (70000, 784) and (70000,) uint8, those for training first.

    `file` is an .npz file. ValueError when it does not hold MNIST, by a digest of the values.
    """
    try:
        with np.load(file, allow_pickle=False) as content:
            names = next(names for names in _PARTS if set(names) <= set(content.files))
            pictures, digits, more_pictures, more_digits = (content[name] for name in names)
        images = np.concatenate([pictures, more_pictures]).reshape(-1, SHAPE[0] * SHAPE[1])
        labels = np.concatenate([digits, more_digits]).astype(np.uint8)
    except (StopIteration, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError("This is not a file of MNIST's pictures and digits.") from error
    if images.dtype != np.uint8 or values_digest(images, labels) != DIGEST:
        raise ValueError("The pictures or digits in this file are not those of MNIST.")
    return images, labels


def values_digest(images: np.ndarray, labels: np.ndarray) -> str:
    """SHA-256 of the pictures and digits, in hexadecimal."""
    sha = hashlib.sha256(np.ascontiguousarray(images).tobytes())
    sha.update(np.ascontiguousarray(labels).tobytes())
    return sha.hexdigest()
