# docker build --tag theta-app .
# docker run --read-only --volume theta-cache:/cache --publish 127.0.0.1:8501:8501 theta-app
# docs/deploy.md says what to set.

FROM python:3.12-slim

# What the app needs, in a layer of its own: a change in the app does not install it again.
COPY requirements.txt /src/
RUN pip install --no-cache-dir -r /src/requirements.txt

# The app, with its kernels compiled into the image.
COPY . /src/
RUN pip install --no-cache-dir --no-deps /src && python -m theta_app.engine && rm -rf /src

# /cache is the only place it writes to: published sets, uploads on their way in, kernels for another processor than
# the one the image was built on.
RUN useradd --uid 10001 --home-dir /cache --create-home --shell /usr/sbin/nologin theta
ENV HOME=/cache XDG_CACHE_HOME=/cache TMPDIR=/cache PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
VOLUME /cache
WORKDIR /cache
USER 10001

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=8)"]
CMD ["theta-app", "--address", "0.0.0.0", "--port", "8501", "--headless"]
