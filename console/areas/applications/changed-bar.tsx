import { Rocket } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface ChangedBarProps {
  /** Pressed a moment ago. */
  deploying: boolean
  onShow: () => void
  /** Without it one may not. */
  onDeploy: (() => void) | undefined
}

/** What is configured is not what runs. */
export const ChangedBar = ({ deploying, onShow, onDeploy }: ChangedBarProps) => (
  <Notice
    tone="neutral"
    title="Changed since the last deployment"
    action={
      <>
        <Button onClick={onShow}>Show the difference</Button>
        {onDeploy && (
          <Button variant="primary" pending={deploying && 'Deploying…'} onClick={onDeploy}>
            <Rocket aria-hidden />
            Deploy
          </Button>
        )}
      </>
    }
  >
    What was changed takes effect with the next deployment.
  </Notice>
)
