import type { ComponentProps, ReactNode } from 'react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { useKeepPlan } from './changes.ts'

interface KeepButtonProps {
  /** None for what is none of the plans on offer. */
  plan: { name: string } | null
  children: ReactNode
  look?: Pick<ComponentProps<typeof Button>, 'variant' | 'wide'>
}

/** Takes back a cancellation. */
export function KeepButton({ plan, look, children }: KeepButtonProps) {
  const keep = useKeepPlan()

  async function act() {
    await keep.mutateAsync()
    toast.success(`You keep the ${plan ? `${plan.name} plan` : 'plan'}.`)
  }

  return (
    <Button
      {...look}
      pending={keep.isPending && 'Keeping the plan…'}
      // A failure is told by the mutation.
      onClick={() => void act().catch(() => undefined)}
    >
      {children}
    </Button>
  )
}
