export const slipwayLabels = {
  application: 'slipway.application',
  instance: 'slipway.instance',
  release: 'slipway.release',
  service: 'slipway.service',
} as const

/** Labels are untrusted: accept only valid IDs. */
export const readOwnerLabels = (labels: Record<string, string> | null) => ({
  application_id: idIn(labels?.[slipwayLabels.application], 'app'),
  instance_id: idIn(labels?.[slipwayLabels.instance], 'ins'),
})

const idIn = (label: string | undefined, prefix: string) =>
  label !== undefined && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(label) ? label : null
