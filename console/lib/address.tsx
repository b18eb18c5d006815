import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useSettings } from './settings.ts'

/** Masked unless the setting `show_ip_addresses` is on, so that screen sharing reveals nothing. */
export function Address({ address }: { address: string | null }) {
  const { show_ip_addresses: shown } = useSettings()
  if (address === null) return <span className="text-muted">–</span>
  return shown ? <Shown address={address} /> : <Masked />
}

/** Address with a button to reveal it until the page is left. */
export function RevealableAddress({ address }: { address: string }) {
  const { show_ip_addresses: always } = useSettings()
  const [shown, setShown] = useState(false)
  if (always) return <Shown address={address} />
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      {shown ? <Shown address={address} /> : <Masked />}
      <Button
        variant="ghost"
        size="small"
        icon
        className="-my-1"
        aria-label={shown ? 'Hide the address' : 'Show the address'}
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden />
      </Button>
    </span>
  )
}

const Shown = ({ address }: { address: string }) => (
  <span className="font-mono text-sm wrap-anywhere">{address}</span>
)

const Masked = () => (
  <span
    className="font-mono text-sm text-muted"
    title="Hidden. Turn on “Show IP addresses” in your settings."
  >
    <span aria-hidden>•••.•••.•••.•••</span>
    <span className="sr-only">Hidden address</span>
  </span>
)
