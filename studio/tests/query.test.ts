import { describe, expect, it } from "vitest";
import * as q from "../src/query";

const wishes: q.Wishes = {
  forward: { kind: "target", low: 6000.0001, high: 0 },
  energy: { kind: "atleast", low: -3000, high: 0 },
  pitch: { kind: "atmost", low: 0, high: 0.25 },
  height: { kind: "range", low: 0.7, high: 0.6 },
  rate: { kind: "min", low: 0, high: 0 },
  effort: { kind: "max", low: 0, high: 0 },
  foot: { kind: "free", low: 1, high: 2 },
};
const context: q.CopyContext = { model: "halfcheetah", mode: "mean", confidence: 0.9, origin: "http://127.0.0.1:8700" };

describe("a query", () => {
  it("says what the controls say", () => {
    expect(q.toQuery(wishes)).toEqual({
      target: { forward: 6000 },
      require: ["energy>=-3000", "pitch<=0.25", "0.6<=height<=0.7"],
      minimise: ["rate"],
      maximise: ["effort"],
    });
    expect(q.isEmpty(q.toQuery({ foot: wishes.foot }))).toBe(true);
  });

  it("becomes a command line", () => {
    const query = { target: { forward: 6000 }, require: ["energy>=-3000"] };
    expect(q.asCommand(query, context)).toBe(
      "rhumb steer halfcheetah --target forward=6000 --require 'energy>=-3000' --mode mean --confidence 0.9 --rollouts 8",
    );
    expect(q.asCommand(query, { ...context, model: "it's here", confidence: 0 })).toContain("'it'\\''s here'");
  });

  it("becomes code", () => {
    const query = q.toQuery(wishes);
    expect(q.asPython(query, context)).toContain(
      'model.steer({"forward": 6000}, require=["energy>=-3000", "pitch<=0.25", "0.6<=height<=0.7"], maximise=["effort"], minimise=["rate"], mode="mean", confidence=0.9)',
    );
    expect(q.asCpp(query, context)).toContain('.target = {"forward=6000"}, .require = {"energy>=-3000"');
    expect(q.asCpp(query, context)).toContain("ActionMode::kMean, .confidence = 0.9");
    expect(JSON.parse(q.asJson(query))).toEqual(query);
    expect(q.asCurl(query, context)).toContain("http://127.0.0.1:8700/api/steer");
    expect(q.asCurl(query, context)).not.toMatch(/[0-9a-f]{32}/);
  });
});

describe("a link", () => {
  it("comes back", () => {
    const shared = { model: "größe", mode: "mean", confidence: 0.5, wishes };
    const text = q.encodeShared(shared);
    expect(text).toMatch(/^[\w-]+$/);
    expect(q.decodeShared(text)).toEqual(shared);
  });

  it("is refused if anything is wrong with it", () => {
    const encode = (value: unknown) => q.encodeShared(value as q.Shared);
    for (const text of ["", "%%%", "e30", btoa("[1]"), encode({ model: 1, mode: "", wishes: {} })]) {
      expect(q.decodeShared(text)).toBeNull();
    }
    const bad = { kind: "dance", low: 0, high: 1 };
    expect(q.decodeShared(encode({ model: "m", mode: "mean", confidence: 0, wishes: { a: bad } }))).toBeNull();
    const none = { kind: "target", low: null, high: 1 };
    expect(q.decodeShared(encode({ model: "m", mode: "mean", confidence: 0, wishes: { a: none } }))).toBeNull();
    expect(q.decodeShared(encode({ model: "m", mode: "mean", confidence: 7, wishes: {} }))?.confidence).toBe(0.99);
  });
});
