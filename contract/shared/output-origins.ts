/** A line of a deployment log is printed by Slipway, a build or a container. */
export const outputOrigins = ['slipway', 'build', 'container'] as const
export type OutputOrigin = (typeof outputOrigins)[number]
