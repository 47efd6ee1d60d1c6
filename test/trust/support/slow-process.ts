const periodMs = 50

/**
 * Lets a process run for a part of the time only, as on a machine that is that much slower: so few
 * connections are enough to ask more of it than it can answer. Returns what ends that.
 */
export function slowDown(pid: number, share: number): () => void {
  let resume: NodeJS.Timeout | undefined
  const stop = setInterval(() => {
    process.kill(pid, 'SIGSTOP')
    resume = setTimeout(() => process.kill(pid, 'SIGCONT'), periodMs * (1 - share))
  }, periodMs)
  return () => {
    clearInterval(stop)
    clearTimeout(resume)
    process.kill(pid, 'SIGCONT')
  }
}
