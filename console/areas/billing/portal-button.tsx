import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { usePortal } from './changes.ts'
import { useLeaving } from './use-leaving.ts'

/** Opens the Stripe customer portal. */
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
