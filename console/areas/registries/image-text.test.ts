import { expect, test } from 'vitest'
import { countInWords, fitsServer, hasHost, isRepository, readImage } from './image-text.ts'

test.each([
  ['nginx', 'nginx', ''],
  ['nginx:1.27', 'nginx', '1.27'],
  ['host:5000/a/b', 'host:5000/a/b', ''],
  ['host:5000/a/b:2', 'host:5000/a/b', '2'],
  [' a/b@sha256:12 ', 'a/b', 'sha256:12'],
])('%s is taken apart', (text, repository, reference) => {
  expect(readImage(text)).toEqual({ repository, reference })
})

test('only what may be a whole name has tags', () => {
  for (const text of ['nginx', 'ghcr.io/acme/shop', 'localhost:5000/a']) expect(isRepository(text)).toBe(true)
  for (const text of ['', 'nginx:1', 'Nginx', 'ghcr.io/', 'a b', 'acme/'])
    expect(isRepository(text)).toBe(false)
})

test('a host is told from the owner of an image', () => {
  for (const text of ['ghcr.io/a', 'host:5000/a', 'localhost/a', 'ghcr.io/']) expect(hasHost(text)).toBe(true)
  for (const text of ['acme/shop', 'nginx', 'my.app', 'nginx:1.2']) expect(hasHost(text)).toBe(false)
})

test('an image fits a server by its processor', () => {
  expect(fitsServer(['linux/amd64', 'linux/arm64/v8'], 'aarch64')).toBe(true)
  expect(fitsServer(['linux/arm/v7'], 'aarch64')).toBe(true)
  expect(fitsServer(['linux/amd64'], 'aarch64')).toBe(false)
  expect(fitsServer(['windows/amd64'], 'x86_64')).toBe(false)
  expect(fitsServer([], 'x86_64')).toBe(true)
  expect(fitsServer(['linux/amd64'], null)).toBe(true)
})

test('large numbers are short', () => {
  expect(countInWords(12_345_678_901)).toBe('12.3B')
})
