import { slipwayLabels } from '../containers/slipway-labels.ts'
import type { ContainerInput } from './endpoints.ts'
import { mountedFiles } from './container-files.ts'
import type { Service, ServiceVolume } from './model.ts'
import { composeVolumeName } from './docker-names.ts'

/** Docker creates a missing folder only for `Binds`, not for `Mounts`. */
export function toMounts(making: ContainerInput, service: Service): { Binds: string[]; Mounts: object[] } {
  const volumes = service.volumes ?? []
  return {
    Binds: volumes.filter(isCreatedIfMissing).map(lineOf),
    Mounts: [
      ...volumes.filter((volume) => !isCreatedIfMissing(volume)).map((volume) => mountOf(making, volume)),
      ...mountedFiles(service, making.model).map(({ source, target }) => ({
        Type: 'bind',
        Source: source,
        Target: target,
        ReadOnly: true,
      })),
    ],
  }
}

/** `Binds` are separated by colons, so a path with one cannot be used. */
const isCreatedIfMissing = ({ type, source = '', target, bind }: ServiceVolume) =>
  type === 'bind' &&
  bind?.recursive !== 'disabled' &&
  !`${source}${target}`.includes(':') &&
  (bind?.create_host_path === true || bind?.selinux !== undefined)

function lineOf({ source = '', target, read_only, bind }: ServiceVolume): string {
  const options = [read_only ? 'ro' : undefined, bind?.selinux, bind?.propagation].filter(Boolean)
  return [source, target, ...(options.length > 0 ? [options.join(',')] : [])].join(':')
}

function mountOf(making: ContainerInput, volume: ServiceVolume) {
  const { type, source, target, read_only } = volume
  const mount = { Type: type, Target: target, ...(read_only && { ReadOnly: true }) }
  if (type === 'tmpfs') return { ...mount, ...optionsOf(volume) }
  if (type !== 'volume') return { ...mount, Source: source, ...optionsOf(volume) }
  return {
    ...mount,
    ...(source !== undefined && { Source: composeVolumeName(making.application, making.model, source) }),
    VolumeOptions: {
      ...(volume.volume?.nocopy && { NoCopy: true }),
      Labels: { [slipwayLabels.application]: making.application.id },
    },
  }
}

function optionsOf({ type, bind, tmpfs }: ServiceVolume) {
  if (type === 'tmpfs') {
    const { size, mode } = tmpfs ?? {}
    return {
      TmpfsOptions: {
        ...(size !== undefined && { SizeBytes: size }),
        ...(mode !== undefined && { Mode: mode }),
      },
    }
  }
  const { propagation, recursive } = bind ?? {}
  return {
    BindOptions: {
      ...(propagation !== undefined && { Propagation: propagation }),
      ...(recursive === 'disabled' && { NonRecursive: true }),
    },
  }
}
