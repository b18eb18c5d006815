import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useBillingPortal, useResumePlan } from './queries.ts'
import { toast } from 'sonner'

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

interface KeepButtonProps {
  /** Plan of the subscription; null for a custom subscription, which matches no plan. */
  plan: { name: string } | null
  children: ReactNode
  look?: Pick<ComponentProps<typeof Button>, 'variant' | 'wide'>
}

export function ResumePlanButton({ plan, look, children }: KeepButtonProps) {
  const keep = useResumePlan()

  async function act() {
    await keep.mutateAsync()
    toast.success(`${plan ? `${plan.name} plan` : 'Plan'} resumed`)
  }

  return (
    <Button
      {...look}
      pending={keep.isPending && 'Resuming…'}
      // The mutation shows its error, so the rejection needs no handler.
      onClick={() => void act().catch(() => undefined)}
    >
      {children}
    </Button>
  )
}

/**
 * Navigates to a Stripe page. `leaving` is reset when the user goes back and the browser restores this page from its
 * cache.
 */
export function useExternalRedirect() {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const stay = () => setLeaving(false)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])

  function leaveTo(url: string) {
    setLeaving(true)
    window.location.assign(url)
  }

  return { leaving, leaveTo }
}
