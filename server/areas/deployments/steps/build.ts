import { allSettledOrThrow } from '../../../platform/async.ts'
import { tagReleaseImages } from '../images/release-images.ts'
import { type DeploymentRun, requireRelease } from '../run/deployment-run.ts'
import { buildSource } from '../source/build-source.ts'
import { decidePlan } from './decide-plan.ts'

export async function buildStep(attempt: DeploymentRun): Promise<void> {
  await buildSource(attempt)
  await allSettledOrThrow([tagReleaseImages(attempt, requireRelease(attempt)), decidePlan(attempt)])
}
