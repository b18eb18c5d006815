import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useBillingPortal } from './mutations.ts'
import { useExternalRedirect } from './use-external-redirect.ts'

/** Opens the Stripe customer portal. */
export function PortalButton({ children }: { children: ReactNode }) {
  const portal = useBillingPortal()
  const { leaving, leaveTo } = useExternalRedirect()
  return (
    <Button
      pending={(portal.isPending || leaving) && 'Opening Stripe…'}
      onClick={() => portal.mutate(undefined, { onSuccess: ({ url }) => leaveTo(url) })}
    >
      {children}
    </Button>
  )
}
