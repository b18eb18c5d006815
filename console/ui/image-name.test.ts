import { expect, test } from 'vitest'
import { splitImage } from './image-name.tsx'

test.each([
  ['redis:7.4', '', 'redis:7.4'],
  ['ghcr.io/acme/shop:1.4', 'ghcr.io/acme/', 'shop:1.4'],
  [
    'registry.example:5000/team/checkout-service-eu:2026-11-15',
    'registry.example:5000/team/checkout-service-eu',
    ':2026-11-15',
  ],
])('keeps the end of %s', (image, start, end) => {
  expect(splitImage(image)).toEqual({ start, end })
})
