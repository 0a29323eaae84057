"""Asks Optuna for trials, for `mocl3 tune`: a request on standard input, then a line with each trial's
places on standard output, and its goals on standard input."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


def main():
    request = json.loads(sys.stdin.readline())
    try:
        import optuna
    except ImportError:
        say(
            kind="error",
            message=f"{sys.executable} has no Optuna: `pip install optuna` installs it, --python names "
            "another Python, and `mocl3 sweep` does without it",
        )
        return
    try:
        from optuna.storages.journal import JournalFileBackend
    except ImportError:
        say(kind="error", message=f"Optuna {optuna.__version__} is too old: it takes 4.0 or later")
        return
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = getattr(optuna.samplers, request["sampler"], None)
    if not (isinstance(sampler, type) and issubclass(sampler, optuna.samplers.BaseSampler)):
        names = [name for name in optuna.samplers.__all__ if name.endswith("Sampler")]
        say(kind="error", message=f"Optuna has no {request['sampler']}, but {', '.join(names)}")
        return
    spaces = request["parameters"]
    seed = {} if request["seed"] is None else {"seed": request["seed"]}
    try:
        if request["sampler"] == "GridSampler":
            places = {space["key"]: list(range(len(space["values"]))) for space in spaces}
            sampler = sampler(places, **seed)
        else:
            sampler = sampler(**seed)
        study = optuna.create_study(
            study_name="mocl3",
            storage=optuna.storages.JournalStorage(JournalFileBackend(request["study"])),
            sampler=sampler,
            directions=["minimize"] * len(request["goals"]),
            load_if_exists=True,
        )
    except Exception as error:  # Samplers may need packages or arguments of their own.
        say(kind="error", message=f"Optuna: {request['sampler']}: {error}")
        return
    # A study is of one set of goals and parameters.
    identity = {"goals": request["goals"], "parameters": spaces}
    known = study.user_attrs.get("mocl3")
    if known is None:
        study.set_user_attr("mocl3", identity)
    elif known != identity:
        say(kind="error", message=f"{request['study']} has a study of other goals or parameters")
        return
    for _ in range(request["trials"]):
        trial = study.ask()
        indices = []
        for space in spaces:
            last = len(space["values"]) - 1
            if space["is_range"]:
                index = trial.suggest_int(space["key"], 0, last)
            else:
                index = trial.suggest_categorical(space["key"], list(range(last + 1)))
            indices.append(index)
        say(kind="trial", indices=indices)
        values = json.loads(sys.stdin.readline())["values"]
        if values is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, values)


main()
