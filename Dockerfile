# The image holds Node, the libraries that it loads, and the built service: no shell, no package
# manager, nothing that could be run but the service itself.
#
#   docker build -t financial-data-service .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges \
#     -p 4000:4000 -v financial-data:/var/lib/financial-data-service \
#     -v ./encryption-key:/run/secrets/encryption-key:ro \
#     -e ENCRYPTION_KEY_FILE=/run/secrets/encryption-key -e PUBLIC_URL=https://api.example.com \
#     financial-data-service serve --fixture /run/secrets/seed-data.yaml

# Add `@sha256:…` of the image that you have looked at, so that nobody can put another in its place.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci
RUN sh scripts/deploy/image-root.sh /usr/local/bin/node /image

FROM scratch
COPY --from=build /image/ /
COPY --from=build --chown=65532:65532 /image/var/lib/ /var/lib/
ENV NODE_ENV=production \
    SERVICE_ENV=production \
    HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0 \
    PORT=4000 \
    MALLOC_ARENA_MAX=2
USER 65532:65532
# `data` below it is where the service keeps what it has, unless DATABASE_URL is set.
WORKDIR /var/lib/financial-data-service
VOLUME /var/lib/financial-data-service
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
    CMD ["/usr/local/bin/node", "/app/healthcheck.js"]
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/src/cli/main.js"]
CMD ["serve"]
