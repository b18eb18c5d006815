import { expect, test } from 'vitest'
import { brands } from './brands.ts'
import { imageBrands } from './image-brand.ts'

test.each([
  ['postgres:17', 'postgresql'],
  ['docker.io/library/redis', 'redis'],
  ['ghcr.io/immich-app/immich-server:v2.1', 'immich'],
  ['valkey/valkey:8', 'valkey'],
  ['golang:1.26-alpine', 'go'],
  ['registry.example:5000/team/nginx@sha256:abc', 'nginx'],
  ['registry.example:5000/team/checkout:2026', undefined],
])('finds the brand of %s', (image, brand) => {
  expect(imageBrands(image).find((name) => brands[name])).toBe(brand)
})
