import type { Model } from '../model.ts'

/** By these Slipway knows its own things again, so nobody else gives them. */
const prefix = 'slipway.'

/** Says whether a service is rolled; the one that a file is to give. */
export const rollLabel = `${prefix}roll`

interface Labelled {
  labels?: Record<string, string> | undefined
}

/** A model without the labels that are Slipway's to give, and a sentence for each of them. */
export function withoutOwnLabels(model: Model): { model: Model; warnings: string[] } {
  const { services, networks, volumes } = model
  return {
    model: { ...model, services: taken(services), networks: taken(networks), volumes: taken(volumes) },
    warnings: [
      ...sentences('service', services),
      ...sentences('network', networks),
      ...sentences('volume', volumes),
    ],
  }
}

const isOwn = (label: string) => label.startsWith(prefix) && label !== rollLabel

const taken = <One extends Labelled>(all: Record<string, One>) =>
  Object.fromEntries(
    Object.entries(all).map(([key, one]): [string, One] => [
      key,
      one.labels ? { ...one, labels: withoutOwn(one.labels) } : one,
    ]),
  )

const withoutOwn = (labels: Record<string, string>) =>
  Object.fromEntries(Object.entries(labels).filter(([label]) => !isOwn(label)))

const sentences = (kind: string, all: Record<string, Labelled>) =>
  Object.entries(all).flatMap(([key, { labels = {} }]) =>
    Object.keys(labels)
      .filter(isOwn)
      .map(
        (label) =>
          `The label ${label} of the ${kind} ${key} has no effect: labels that begin with ${prefix} are Slipway’s.`,
      ),
  )
