import { expect, test } from 'vitest'
import { matchesPlatform } from './ensure-image.ts'

const image = (Architecture: string, Variant?: string) => ({
  Id: '',
  RepoDigests: null,
  Os: 'linux',
  Architecture,
  ...(Variant !== undefined && { Variant }),
  Config: null,
})

test('matches a platform by the given parts', () => {
  expect(matchesPlatform(image('amd64'), undefined)).toBe(true)
  expect(matchesPlatform(image('arm64', 'v8'), 'linux/arm64')).toBe(true)
  expect(matchesPlatform(image('arm64'), 'linux/arm64/v8')).toBe(true)
  expect(matchesPlatform(image('amd64'), 'linux/x86_64')).toBe(true)
  expect(matchesPlatform(image('amd64'), 'linux')).toBe(true)
  expect(matchesPlatform(image('amd64'), 'linux/arm64')).toBe(false)
  expect(matchesPlatform(image('amd64'), 'windows/amd64')).toBe(false)
  expect(matchesPlatform(image('arm', 'v6'), 'linux/arm/v7')).toBe(false)
})
