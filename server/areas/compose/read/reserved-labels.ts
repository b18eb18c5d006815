import type { Model } from '../model.ts'

/** Slipway identifies its own objects by these labels, so a file must not set them. */
const prefix = 'slipway.'

/** Controls rolling replacement; the only reserved label that a file may set. */
export const rollLabel = `${prefix}roll`

interface Labelled {
  labels?: Record<string, string> | undefined
}

export function removeReservedLabels(model: Model): { model: Model; warnings: string[] } {
  const { services, networks, volumes } = model
  return {
    model: {
      ...model,
      services: withoutReserved(services),
      networks: withoutReserved(networks),
      volumes: withoutReserved(volumes),
    },
    warnings: [
      ...sentences('service', services),
      ...sentences('network', networks),
      ...sentences('volume', volumes),
    ],
  }
}

const isReserved = (label: string) => label.startsWith(prefix) && label !== rollLabel

const withoutReserved = <One extends Labelled>(all: Record<string, One>) =>
  Object.fromEntries(
    Object.entries(all).map(([key, one]): [string, One] => [
      key,
      one.labels ? { ...one, labels: withoutOwn(one.labels) } : one,
    ]),
  )

const withoutOwn = (labels: Record<string, string>) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => !isReserved(label)))

const sentences = (kind: string, all: Record<string, Labelled>) =>
  Object.entries(all).flatMap(([key, { labels = {} }]) =>
    Object.keys(labels)
      .filter(isReserved)
      .map(
        (label) =>
          `The label ${label} of the ${kind} ${key} has no effect: the prefix ${prefix} is reserved.`,
      ),
  )
