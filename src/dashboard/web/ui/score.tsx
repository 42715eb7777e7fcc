/** A score beside the threshold that it was compared with. */
export function ScoreMeter(props: { readonly score: number; readonly threshold: number }) {
  const { score, threshold } = props;
  const blocks = score >= threshold;
  return (
    <div class="score">
      <span class="score-track" aria-hidden="true">
        <i class={blocks ? 'over' : ''} style={{ width: `${score}%` }} />
        <b style={{ left: `${threshold}%` }} />
      </span>
      <span>
        Score <strong>{score}</strong> of 100; blocked from {threshold}
      </span>
    </div>
  );
}
