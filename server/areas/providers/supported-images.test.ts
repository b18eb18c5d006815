import { expect, test } from 'vitest'
import { supportedImages } from './supported-images.ts'

const names = (...says: string[]) =>
  supportedImages(says.map((one) => ({ id: one, says: one, architecture: 'x86_64' }))).map(({ name }) => name)

test('recognizes systems in any notation', () => {
  expect(names('Debian 12 x64 (bookworm)')).toEqual(['Debian 12'])
  expect(names('debian-12-x64')).toEqual(['Debian 12'])
  expect(names('ubuntu-24-04-x64', 'Ubuntu 22.04 LTS x64')).toEqual(['Ubuntu 24.04', 'Ubuntu 22.04'])
  expect(names('rockylinux-9-x64')).toEqual(['Rocky Linux 9'])
  expect(names('rocky-9')).toEqual(['Rocky Linux 9'])
  expect(names('AlmaLinux 9')).toEqual(['AlmaLinux 9'])
  expect(names('centos-stream-9-x64')).toEqual(['CentOS Stream 9'])
  expect(names('CentOS 9 Stream x64')).toEqual(['CentOS Stream 9'])
  expect(names('fedora-42-x64')).toEqual(['Fedora 42'])
})

test('omits systems on which setup cannot install Docker', () => {
  expect(
    names('Windows 2025 Standard x64', 'FreeBSD 14 x64', 'openSUSE Leap 15', 'Arch Linux x64', 'Custom'),
  ).toEqual([])
  expect(names('CentOS 7 x64', 'Debian 10 x64 (buster)', 'Ubuntu 18.04 x64', 'gpu-h100x1-base')).toEqual([])
  expect(names('Fedora CoreOS Stable', 'ubuntu-ai-ml-1.0', 'Debian')).toEqual([])
})

test('recommends the newest Debian and merges architectures', () => {
  const images = supportedImages([
    { id: 'ubuntu-24.04', says: 'Ubuntu 24.04', architecture: 'x86_64' },
    { id: 'debian-9', says: 'Debian 9', architecture: 'x86_64' },
    { id: 'debian-12', says: 'Debian 12', architecture: 'x86_64' },
    { id: 'debian-13', says: 'Debian 13', architecture: 'aarch64' },
    { id: 'debian-13', says: 'Debian 13', architecture: 'x86_64' },
  ])
  expect(images.map(({ id, recommended }) => [id, recommended])).toEqual([
    ['debian-13', true],
    ['debian-12', false],
    ['ubuntu-24.04', false],
  ])
  expect(images[0]?.architectures).toEqual(['aarch64', 'x86_64'])
})
