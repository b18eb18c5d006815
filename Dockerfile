FROM node:24-bookworm-slim AS build
WORKDIR /slipway
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /slipway
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /slipway/package.json ./
COPY --from=build /slipway/node_modules ./node_modules
COPY --from=build /slipway/dist ./dist
COPY --from=build /slipway/server/migrations ./server/migrations
COPY --from=build /slipway/server/scripts ./server/scripts
COPY --from=build /slipway/templates ./templates
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
CMD ["node", "dist/server/main.js"]
