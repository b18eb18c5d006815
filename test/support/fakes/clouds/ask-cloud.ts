import type { FakeCloud } from './cloud.ts'

/** Calls a fake as a client would that knows nothing but the documentation. */
export const asking =
  (cloud: Pick<FakeCloud, 'url'>, token: string) => async (method: string, path: string, body?: object) => {
    const answered = await fetch(cloud.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answered.text()
    return {
      status: answered.status,
      headers: answered.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as unknown,
    }
  }
