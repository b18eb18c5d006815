import type { Model } from '../model.ts'

/** By these Slipway knows its own things again, so nobody else gives them. */
const prefix = 'slipway.'

/** Says whether a service is rolled; the one that a file is to give. */
export const rollLabel = `${prefix}roll`

interface Labelled {
  labels?: Record<string, string> | undefined
}

/** A model without the labels that are Slipway's to give, and a sentence for each of them. */
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
