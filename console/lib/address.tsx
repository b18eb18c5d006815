import { Eye, EyeOff } from 'lucide-react'
import { Children, type ComponentProps, Fragment, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useSettings } from './local-settings.ts'
import { maskAddresses, splitAddresses } from './split-addresses.ts'
import { Input } from '../ui/form/input.tsx'

/**
 * Shows an IP address, masked unless the setting `show_ip_addresses` is on, so that screen sharing does not reveal it.
 */
export function Address({ address }: { address: string | null }) {
  const { show_ip_addresses: shown } = useSettings()
  if (address === null) return <span className="text-muted">–</span>
  return shown ? <Shown address={address} /> : <Masked />
}

/** Shows an IP address with a button that reveals it until the user leaves the page. */
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
        aria-label={shown ? 'Hide address' : 'Show address'}
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

/** Returns a function that masks IP addresses in texts that cannot contain elements, such as labels. */
export function useMaskedText(): (text: string) => string {
  const { show_ip_addresses: shown } = useSettings()
  return (text) => (shown ? text : maskAddresses(text, window.location.hostname))
}

interface AddressTextProps {
  children: string
  revealable?: boolean
}

export function AddressText({ children, revealable = false }: AddressTextProps) {
  const Shown = revealable ? RevealableAddress : Address
  return splitAddresses(children, window.location.hostname).map(({ from, text, isAddress }) =>
    isAddress ? <Shown key={from} address={text} /> : <Fragment key={from}>{text}</Fragment>,
  )
}

/** Returns a URL without its scheme and closing slash. */
export const displayedAddress = (url: string) => url.replace(/^https?:\/\/|\/$/g, '')

interface AddressContentProps {
  children: ReactNode
  revealable?: boolean
}

/** Masks the IP addresses in the texts among other elements. */
export const AddressContent = ({ children, revealable = false }: AddressContentProps) =>
  Children.map(children, (child) =>
    typeof child === 'string' ? <AddressText revealable={revealable}>{child}</AddressText> : child,
  )

interface AddressSpanProps {
  className: string
  children: string
}

/** Text that may be truncated. Its tooltip shows all of it. */
export function AddressSpan({ className, children }: AddressSpanProps) {
  const mask = useMaskedText()
  return (
    <span dir="auto" className={className} title={mask(children)}>
      <AddressText>{children}</AddressText>
    </span>
  )
}

/**
 * Field for an IP address, masked like other addresses. A password field would make browsers offer to save the address.
 */
export function AddressInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'className'>) {
  const { show_ip_addresses: always } = useSettings()
  const [shown, setShown] = useState(always)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} mono className={shown ? 'pr-9' : 'pr-9 [-webkit-text-security:disc]'} />
      <button
        type="button"
        aria-label={shown ? 'Hide address' : 'Show address'}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-md text-muted hover:text-ink"
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  )
}
