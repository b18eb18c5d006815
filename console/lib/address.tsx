import { useSettings } from './settings.ts'

/** Masked until the setting `show_ip_addresses` is on, so that a shared screen gives nothing away. */
export function Address({ address }: { address: string | null }) {
  const { show_ip_addresses: shown } = useSettings()
  if (address === null) return <span className="text-muted">–</span>
  if (shown) return <span className="font-mono">{address}</span>
  return (
    <span className="font-mono text-muted" title="Hidden. Turn on “Show IP addresses” in your settings.">
      <span aria-hidden>•••.•••.•••.•••</span>
      <span className="sr-only">Hidden address</span>
    </span>
  )
}
