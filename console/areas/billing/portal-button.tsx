import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { usePortal } from './changes.ts'
import { useLeaving } from './use-leaving.ts'

/** Leads to the page of Stripe with the card, the address and the invoices. */
export function PortalButton({ children }: { children: ReactNode }) {
  const portal = usePortal()
  const { leaving, leaveTo } = useLeaving()
  return (
    <Button
      pending={(portal.isPending || leaving) && 'Opening Stripe…'}
      onClick={() => portal.mutate(undefined, { onSuccess: ({ url }) => leaveTo(url) })}
    >
      {children}
    </Button>
  )
}
