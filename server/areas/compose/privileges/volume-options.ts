import type { ModelVolume } from '../model.ts'

type DriverOptions = NonNullable<ModelVolume['driver_opts']>

export interface VolumeOptions {
  options: readonly string[]
  isBind: boolean
  readOnly: boolean
}

export const isLocalDriver = (driver: string | undefined) =>
  driver === undefined || driver === '' || driver === 'local'

/** Reads `o` as Docker’s local driver does: in order, without trimming, and a later `rw` undoes `ro`. */
export function parseVolumeOptions({ o = '' }: DriverOptions): VolumeOptions {
  const options = o.split(',')
  return {
    options,
    isBind: options.includes('bind') || options.includes('rbind'),
    readOnly: options.findLast((option) => option === 'ro' || option === 'rw') === 'ro',
  }
}

const overlayFolders = new Set(['lowerdir', 'upperdir', 'workdir', 'redirect_dir'])

/** Explains why it is unclear what the options mount. Never quotes them, because they may contain a password. */
export function findVolumeOptionProblem(driverOptions: DriverOptions): string | undefined {
  const { options } = parseVolumeOptions(driverOptions)
  if (options.some((option) => option !== option.trim()))
    return 'The mount options contain spaces, which Docker does not ignore. Remove the spaces from `o`.'
  if (options.includes('ro') && options.includes('rw'))
    return 'The mount options contain both ro and rw. Remove one of them from `o`.'
  if (options.includes('remount'))
    return 'The mount option remount changes another mount. Remove it from `o`.'
  if (driverOptions['type'] !== 'overlay') return undefined
  if (options.some((option) => option.includes('\\')))
    return 'The folders of an overlay cannot contain a backslash. Remove the backslash from `o`.'
  const keys = options.map((option) => option.replace(/=.*$/s, ''))
  return keys.some((key) => /dir\+?$/.test(key) && !overlayFolders.has(key))
    ? 'An overlay can only have the folders lowerdir, upperdir and workdir. Remove the others from `o`.'
    : undefined
}

/** Lists the folders that an overlay joins. The overlay writes to all but the lower ones. */
export const overlayPaths = ({ options }: VolumeOptions) =>
  options.flatMap((option) => {
    const [, kind, folders = ''] = /^(lowerdir|upperdir|workdir)=(.*)$/s.exec(option) ?? []
    return folders
      .split(':')
      .filter((path) => path !== '')
      .map((path) => ({ path, readOnly: kind === 'lowerdir' }))
  })
