// Measuring inside of the page, by its own frames: asking from outside would cost what is measured.

/** Lets every page of a visit note when the words "Said last." stand inside the conversation's window. */
export async function watchForTheEnd(context) {
  await context.addInitScript(() => {
    const isInView = () => {
      const conversation = document.querySelector("[aria-label=Conversation]");
      const last = [...(conversation?.querySelectorAll("p") ?? [])].findLast((one) => one.textContent === "Said last.");
      if (!last) return false;
      const [frame, place] = [conversation.getBoundingClientRect(), last.getBoundingClientRect()];
      return place.height > 0 && place.top >= frame.top - 1 && place.bottom <= frame.bottom + 1;
    };
    window.watchForTheEnd = () => {
      window.sawTheEnd = undefined;
      window.beganToWatch = Date.now();
      // What is shown when it begins is what was there before.
      const before = document.querySelector("[aria-label=Conversation]");
      const look = () => {
        if (document.querySelector("[aria-label=Conversation]") !== before && isInView()) window.sawTheEnd = Date.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.watchForTheEnd();
  });
}

/** When they did, by the machine's clock. */
export async function seen(page) {
  const at = await page.waitForFunction(() => window.sawTheEnd);
  return at.jsonValue();
}

/** How long each frame takes while the conversation is moved up in every one of them. */
export function frames(page, count, pixels) {
  return page.evaluate(
    ([count, pixels]) =>
      new Promise((done) => {
        const scroller = document.querySelector("[aria-label=Conversation]");
        const took = [];
        let before;
        const next = (now) => {
          if (before !== undefined) took.push(now - before);
          before = now;
          scroller.scrollTop -= pixels;
          if (took.length < count) requestAnimationFrame(next);
          else done(took);
        };
        requestAnimationFrame(next);
      }),
    [count, pixels],
  );
}
