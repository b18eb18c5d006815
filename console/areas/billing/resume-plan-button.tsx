import type { ComponentProps, ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { useResumePlan } from './mutations.ts'

interface KeepButtonProps {
  /** Null if the subscription matches none of the plans. */
  plan: { name: string } | null
  children: ReactNode
  look?: Pick<ComponentProps<typeof Button>, 'variant' | 'wide'>
}

/** Undoes a cancellation. */
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
      // The mutation shows errors.
      onClick={() => void act().catch(() => undefined)}
    >
      {children}
    </Button>
  )
}
