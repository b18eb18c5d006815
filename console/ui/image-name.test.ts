import { expect, test } from 'vitest'
import { splitImage } from './image-name.tsx'

test.each([
  ['redis:7.4', '', 'redis', ':7.4'],
  ['redis', '', 'redis', ''],
  ['ghcr.io/acme/shop:1.4', 'ghcr.io/acme/', 'shop', ':1.4'],
  ['registry.example:5000/team/checkout', 'registry.example:5000/team/', 'checkout', ''],
  ['acme/shop@sha256:3f9c2d1', 'acme/', 'shop', '@sha256:3f9c2d1'],
])('splits %s', (image, path, name, tag) => {
  expect(splitImage(image)).toEqual({ path, name, tag })
})
