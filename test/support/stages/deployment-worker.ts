import type { stepNames } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { runDeployment } from '../../../server/areas/deployments/run-deployment.ts'
import { isFinished, findDeployment, listSteps } from '../../../server/areas/deployments/run/deployment.ts'
import { type JobRun, JobStopped } from '../../../server/platform/jobs.ts'
import type { TestSlipway } from './context.ts'

type Step = (typeof stepNames)[number]

interface WorkerOptions {
  /** Dies at the first write of this step. */
  diesIn?: Step
}

/** Runs deployment jobs one by one without a worker. */
export function startDeploymentWorker({ ctx, db }: TestSlipway, workspace: Id<'workspace'>) {
  async function work(id: Id<'deployment'>, fence = 1, { diesIn }: WorkerOptions = {}): Promise<void> {
    const { job_id } = (await findDeployment(db, workspace, id)) ?? {}
    if (!job_id) throw new Error('It has no job.')
    const dying = new AbortController()
    const run: JobRun = {
      id: job_id,
      attempt: 1,
      fence,
      signal: dying.signal,
      async assertLease() {
        const steps = await listSteps(db, workspace, id)
        if (steps.some(({ name, status }) => name === diesIn && status === 'running'))
          dying.abort(new JobStopped('lease_lost'))
        dying.signal.throwIfAborted()
      },
    }
    await runDeployment(ctx, workspace, id, run)
  }

  return {
    work,
    workToTheEnd: async (id: Id<'deployment'>, fence = 1): Promise<void> => {
      for (;;) {
        const row = await findDeployment(db, workspace, id)
        if (!row || isFinished(row)) return
        await work(id, fence)
      }
    },
  }
}
