import { Fragment } from 'react'
import { Address, RevealableAddress } from './address.tsx'
import { splitAddresses } from './form/split-addresses.ts'

interface AddressTextProps {
  children: string
  /** Where one needs them, each can be shown for as long as one stays. */
  revealable?: boolean
}

/** A sentence of the server, in which addresses are masked like everywhere else. */
export function AddressText({ children, revealable = false }: AddressTextProps) {
  const Shown = revealable ? RevealableAddress : Address
  return splitAddresses(children, window.location.hostname).map(({ from, text, isAddress }) =>
    isAddress ? <Shown key={from} address={text} /> : <Fragment key={from}>{text}</Fragment>,
  )
}
