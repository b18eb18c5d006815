import { expect, test } from 'vitest'
import { isFor } from './image-of.ts'

const image = (Architecture: string, Variant?: string) => ({
  Id: '',
  RepoDigests: null,
  Os: 'linux',
  Architecture,
  ...(Variant !== undefined && { Variant }),
  Config: null,
})

test('an image is for a platform as far as that is named', () => {
  expect(isFor(image('amd64'), undefined)).toBe(true)
  expect(isFor(image('arm64', 'v8'), 'linux/arm64')).toBe(true)
  expect(isFor(image('arm64'), 'linux/arm64/v8')).toBe(true)
  expect(isFor(image('amd64'), 'linux/x86_64')).toBe(true)
  expect(isFor(image('amd64'), 'linux')).toBe(true)
  expect(isFor(image('amd64'), 'linux/arm64')).toBe(false)
  expect(isFor(image('amd64'), 'windows/amd64')).toBe(false)
  expect(isFor(image('arm', 'v6'), 'linux/arm/v7')).toBe(false)
})
