import { useParam } from '../../lib/use-param.ts'

/** In the order of their length; the first is shown unless another is chosen. */
export const ranges = [
  { key: '1h', label: '1 h', title: 'Last hour', seconds: 3_600, refresh: 10 },
  { key: '6h', label: '6 h', title: 'Last 6 hours', seconds: 6 * 3_600, refresh: 10 },
  { key: '24h', label: '24 h', title: 'Last 24 hours', seconds: 86_400, refresh: 30 },
  { key: '7d', label: '7 d', title: 'Last 7 days', seconds: 7 * 86_400, refresh: 60 },
  { key: '30d', label: '30 d', title: 'Last 30 days', seconds: 30 * 86_400, refresh: 60 },
] as const

export type MetricsRange = (typeof ranges)[number]

/** The one that stands in the address, and how another is chosen by its key. */
export function useRange(): [MetricsRange, (key: string) => void] {
  const [given, choose] = useParam('range')
  return [ranges.find(({ key }) => key === given) ?? ranges[0], choose]
}
