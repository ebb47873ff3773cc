# Two targets from one build, for amd64 and arm64:
#   docker build --target media -t greenlit .        analyses, and can serve the API too
#   docker build --target api -t greenlit-api .      serves the API alone, without decoders and models
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY engine/package.json engine/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY console/package.json console/
COPY cli/package.json cli/
COPY bench/package.json bench/
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY engine/src engine/src
COPY engine/golden/files/supers-prices.mp4 engine/golden/files/
COPY server/src server/src
COPY sdk/src sdk/src
COPY console console
COPY cli/bin cli/bin
COPY cli/src cli/src
COPY rulepacks rulepacks
COPY deploy/prune-image.sh deploy/health-check.js deploy/
COPY LICENSE THIRD-PARTY-NOTICES.md ./
# The root file system is read-only later, so the console is built now.
RUN node -e "import('/app/server/src/http/console/build-console.ts').then((m) => m.writeConsole('/app/server/src/http/console/built'))" \
  && sh deploy/prune-image.sh media

FROM install AS install-api
RUN sh deploy/prune-image.sh api

FROM ${BASE_IMAGE} AS runtime
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/* \
  && install -d -o 10001 -g 10001 -m 1777 /data
COPY --from=install /usr/local/bin/node /usr/local/bin/node
# Written: the data folder (a tmpfs where database and store are elsewhere) and /tmp. Nothing else.
ENV NODE_ENV=production HOME=/data GREENLIT_DATA_DIR=/data GREENLIT_HOST=0.0.0.0 GREENLIT_METRICS_PORT=9464
WORKDIR /app
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8080 8081 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s CMD ["node", "/app/deploy/health-check.js"]
ENTRYPOINT ["node", "/app/cli/bin/greenlit.js"]

FROM runtime AS api
COPY --from=install-api /app /app
CMD ["serve", "--role", "api"]

FROM runtime AS media
COPY --from=install /app /app
CMD ["serve", "--role", "worker"]
