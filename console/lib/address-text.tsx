import { Fragment } from 'react'
import { Address, RevealableAddress } from './address.tsx'
import { splitAddresses } from './form/split-addresses.ts'

interface AddressTextProps {
  children: string
  /** Allows revealing each address. */
  revealable?: boolean
}

/** Server message with masked IP addresses. */
export function AddressText({ children, revealable = false }: AddressTextProps) {
  const Shown = revealable ? RevealableAddress : Address
  return splitAddresses(children, window.location.hostname).map(({ from, text, isAddress }) =>
    isAddress ? <Shown key={from} address={text} /> : <Fragment key={from}>{text}</Fragment>,
  )
}
