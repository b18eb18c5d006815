import { Fragment } from 'react'
import { Address } from './address.tsx'
import { splitAddresses } from './split-addresses.ts'

/** A sentence of the server, in which addresses are masked like everywhere else. */
export const AddressText = ({ children }: { children: string }) =>
  splitAddresses(children).map(({ from, text, isAddress }) =>
    isAddress ? <Address key={from} address={text} /> : <Fragment key={from}>{text}</Fragment>,
  )
