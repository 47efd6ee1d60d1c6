// Loaded before a service on trial: by how many ms the system's clock is wrong, its environment says
// for the start, and its parent from then on.

const SystemDate = Date
let offset = Number(process.env['CLOCK_OFFSET_MS'] ?? 0)

class MovedDate extends SystemDate {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(SystemDate.now() + offset)
    else super(...given)
  }
  static override now(): number {
    return SystemDate.now() + offset
  }
}

globalThis.Date = MovedDate as DateConstructor

process.on('message', (message) => {
  offset = Number(message)
  process.send?.('moved')
})
// Nothing is to live longer for this.
process.channel?.unref()
