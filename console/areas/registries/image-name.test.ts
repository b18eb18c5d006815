import { expect, test } from 'vitest'
import { formatCount, supportsArchitecture, hasHost, isRepository, parseImageName } from './image-name.ts'

test.each([
  ['nginx', 'nginx', ''],
  ['nginx:1.27', 'nginx', '1.27'],
  ['host:5000/a/b', 'host:5000/a/b', ''],
  ['host:5000/a/b:2', 'host:5000/a/b', '2'],
  [' a/b@sha256:12 ', 'a/b', 'sha256:12'],
])('parses %s', (text, repository, reference) => {
  expect(parseImageName(text)).toEqual({ repository, reference })
})

test('accepts only a complete image name without a tag as a repository', () => {
  for (const text of ['nginx', 'ghcr.io/acme/shop', 'localhost:5000/a']) expect(isRepository(text)).toBe(true)
  for (const text of ['', 'nginx:1', 'Nginx', 'ghcr.io/', 'a b', 'acme/'])
    expect(isRepository(text)).toBe(false)
})

test('tells a registry host from an image owner', () => {
  for (const text of ['ghcr.io/a', 'host:5000/a', 'localhost/a', 'ghcr.io/']) expect(hasHost(text)).toBe(true)
  for (const text of ['acme/shop', 'nginx', 'my.app', 'nginx:1.2']) expect(hasHost(text)).toBe(false)
})

test('matches an image to the architecture of a server', () => {
  expect(supportsArchitecture(['linux/amd64', 'linux/arm64/v8'], 'aarch64')).toBe(true)
  expect(supportsArchitecture(['linux/arm/v7'], 'aarch64')).toBe(true)
  expect(supportsArchitecture(['linux/amd64'], 'aarch64')).toBe(false)
  expect(supportsArchitecture(['windows/amd64'], 'x86_64')).toBe(false)
  expect(supportsArchitecture([], 'x86_64')).toBe(true)
  expect(supportsArchitecture(['linux/amd64'], null)).toBe(true)
})

test('shortens large numbers', () => {
  expect(formatCount(12_345_678_901)).toBe('12.3B')
})
