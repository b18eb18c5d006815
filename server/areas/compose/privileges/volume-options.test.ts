import { describe, expect, test } from 'vitest'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { findForbiddenMounts } from './host-paths.ts'
import { listHostAccess } from './host-access.ts'
import { parseVolumeOptions } from './volume-options.ts'

const folder = '/var/lib/slipway/applications/shop-cdefgh'
const volume = (driver_opts: Record<string, string>, driver = 'local') =>
  modelOf({ web: {} }, { volumes: { a: { driver, driver_opts } } })
const refusals = (driver_opts: Record<string, string>, driver?: string) =>
  findForbiddenMounts(volume(driver_opts, driver), folder)

test.each([
  ['ro', true],
  ['bind,ro', true],
  ['rw,ro', true],
  ['bind,ro,rw', false],
  ['bind, ro', false],
  ['RO', false],
  ['', false],
])('reads whether %j is read-only as Docker does', (o, readOnly) => {
  expect(parseVolumeOptions({ o }).readOnly).toBe(readOnly)
  const said = listHostAccess(volume({ o, device: '/srv/data' }), folder, new Set()).join(' ')
  expect(said.includes('read-only')).toBe(readOnly)
  expect(said.includes('can read /srv/data')).toBe(readOnly)
})

describe('refuses system folders', () => {
  test.each(['tmpfs', 'nfs', 'nfs4', 'cifs', '9p', 'ramfs', 'overlay', 'proc', 'ext4', 'none', ''])(
    'bound by a volume of type %j',
    (type) => {
      for (const o of ['bind', 'rbind', 'bind,ro', 'rbind,ro', 'ro,bind'])
        for (const device of ['/', '/etc', '/var/lib/docker', '/var/lib/slipway', 'etc'])
          expect(refusals({ type, o, device })).toEqual([expect.stringMatching(/^Volume a cannot mount \//)])
    },
  )

  test('of types in another case, which the kernel does not know', () => {
    expect(refusals({ type: 'NFS', device: '/etc' })).toHaveLength(1)
    expect(refusals({ type: 'nfs', device: '/etc' })).toEqual([])
  })

  test('that an overlay writes to, even with ro', () => {
    const overlay = (o: string) => refusals({ type: 'overlay', device: 'overlay', o })
    expect(overlay('lowerdir=/srv/a:/etc,upperdir=/srv/b,workdir=/srv/c,redirect_dir=on')).toEqual([])
    expect(overlay('ro,lowerdir=/srv/a,upperdir=/etc,workdir=/srv/c')).toHaveLength(1)
    expect(overlay('lowerdir=/srv/a,upperdir=/srv/b,workdir=/var/lib/docker')).toHaveLength(1)
  })
})

test.each<[string, Record<string, string>, string]>([
  ['spaces', { type: 'none', o: 'bind, ro', device: '/srv/a' }, 'Remove the spaces'],
  ['a line break', { type: 'none', o: 'bind,ro\n', device: '/srv/a' }, 'Remove the spaces'],
  ['both ro and rw', { type: 'none', o: 'bind,ro,rw', device: '/srv/a' }, 'both ro and rw'],
  ['a remount', { type: 'none', o: 'bind,remount', device: '/srv/a' }, 'remount'],
  ['an escaped upper folder', { type: 'overlay', o: 'upperdir=/srv/\\../etc' }, 'a backslash'],
  ['an escaped lower folder', { type: 'overlay', o: 'lowerdir=/srv\\:/etc' }, 'a backslash'],
  ['an escaped work folder', { type: 'overlay', o: 'workdir=\\/etc' }, 'a backslash'],
  ['an added lower folder', { type: 'overlay', o: 'lowerdir+=/etc' }, 'only have the folders'],
  ['an added data folder', { type: 'overlay', o: 'datadir+=/etc' }, 'only have the folders'],
  ['another folder', { type: 'overlay', o: 'otherdir=/etc' }, 'only have the folders'],
])('refuses %s', (_, options, reason) => {
  expect(refusals(options)).toEqual([expect.stringContaining(reason)])
})

test('accepts shares, memory and folders', () => {
  expect(refusals({ type: 'nfs', o: 'addr=10.0.0.1,rw,nolock', device: ':/x' })).toEqual([])
  expect(refusals({ type: 'cifs', o: 'username=A\\b,password=c d', device: '//nas/x' })).toEqual([])
  expect(refusals({ type: 'tmpfs', o: 'size=100m,uid=1000', device: 'tmpfs' })).toEqual([])
  expect(refusals({ type: 'none', o: 'bind', device: '/srv/data' })).toEqual([])
  expect(refusals({ type: 'none', o: 'bind', device: `${folder}/data` })).toEqual([])
  expect(refusals({ o: 'a, b' }, 'rclone')).toEqual([])
})
