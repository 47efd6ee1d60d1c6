import { freePort } from '../../test/support/free-port.ts'

/** The part of a core's time that a function took by itself, without those that it called. */
export interface Share {
  name: string
  share: number
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[]
  samples: number[]
  timeDeltas: number[]
}

/** The engine's own words for time that is no function's. */
const ownWords: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code outside of functions',
}
/** Time without work. */
const idle = '(idle)'

/** An address for the inspector, and the argument that opens it. */
export async function openInspector() {
  const address = `127.0.0.1:${await freePort()}`
  return { address, args: [`--inspect=${address}`] }
}

/** Profiles the program at an inspector while `work` runs; the greatest shares come first. */
export async function profileAt(address: string, work: () => Promise<unknown>): Promise<Share[]> {
  const [target] = (await (await fetch(`http://${address}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ]
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)))
  })
  let id = 0
  const call = <Result>(method: string, params: object = {}) =>
    new Promise<Result>((resolve, reject) => {
      id += 1
      const own = id
      const listen = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data))
        if (message.id !== own) return
        socket.removeEventListener('message', listen)
        if (message.error) reject(new Error(`${method}: ${message.error.message}`))
        else resolve(message.result)
      }
      socket.addEventListener('message', listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  try {
    await call('Profiler.enable')
    await call('Profiler.setSamplingInterval', { interval: 200 })
    await call('Profiler.start')
    await work()
    const { profile } = await call<{ profile: Profile }>('Profiler.stop')
    return sharesOf(profile)
  } finally {
    socket.close()
  }
}

/** The parts of the time with work, by function. */
export function sharesOf({ nodes, samples, timeDeltas }: Profile): Share[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let sum = 0
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? ''
    // A delta is the time since the sample before it.
    const took = timeDeltas[index + 1] ?? 0
    if (name === idle) continue
    sum += took
    times.set(name, (times.get(name) ?? 0) + took)
  }
  return [...times]
    .map(([name, time]) => ({ name, share: time / sum }))
    .sort((one, other) => other.share - one.share)
}

function nameOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string {
  const own = ownWords[functionName] ?? (functionName || 'a function without a name')
  return url.startsWith('node:') ? `${own} (${url})` : own
}
